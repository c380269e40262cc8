export { stdioTransport } from "./stdio-transport.js";
