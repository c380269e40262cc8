import { expect, it } from "vitest";
import { createRipgrepBackend } from "./ripgrep-backend.js";
import { withSearchTimeout } from "./search-place.js";

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

it("stops a search that takes too long, and says so", async () => {
  const { signal } = new AbortController();
  await expect(withSearchTimeout(signal, never, 20)).rejects.toMatchObject({
    code: "SEARCH_TIMEOUT",
  });
});

it("stops a search whose caller gave up", async () => {
  const caller = new AbortController();
  const search = withSearchTimeout(caller.signal, never);
  caller.abort();
  await expect(search).rejects.toMatchObject({ code: "CANCELLED" });
});

it("says that ripgrep does not start", async () => {
  const search = createRipgrepBackend("/no/such/program").findFiles({
    directory: "/",
    accepts: () => true,
    includeIgnored: true,
    signal: new AbortController().signal,
  });
  await expect(search).rejects.toMatchObject({ code: "SEARCH_FAILED" });
});
