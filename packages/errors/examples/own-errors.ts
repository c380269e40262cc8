import { defineErrors, isPosternError } from "@postern/errors";

const larderErrors = defineErrors({
  NOT_IN_STOCK: ({ item }: { item: string }) =>
    `There is no ${item} left. Order some, or leave it out.`,
  LARDER_LOCKED: "The larder is locked. Ask for the key.",
});

function take(item: string): string {
  const cause = new TypeError("shelf 3 said: token sk-secret expired");
  if (item === "salt") throw larderErrors.NOT_IN_STOCK({ item }, { cause });
  throw larderErrors.LARDER_LOCKED();
}

for (const item of ["salt", "flour"])
  try {
    take(item);
  } catch (error) {
    if (!isPosternError(error, larderErrors)) throw error;
    // The code narrows the data; the cause is for logs, and leaves the process with nothing below.
    if (error.code === "NOT_IN_STOCK") console.log("missing:", error.data.item);
    console.log(JSON.stringify(error));
  }
