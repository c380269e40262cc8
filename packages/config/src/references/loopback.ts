/**
 * Tells whether a URL names this machine itself: `localhost`, 127.0.0.0/8 or `[::1]`.
 *
 * @param url - A parsed URL, so that other spellings of an address are already brought to one.
 */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === "localhost" || hostname === "[::1]" || /^127(?:\.[0-9]{1,3}){3}$/.test(hostname)
  );
}
