export async function ensurePrivateDirectory(_path: string): Promise<void> {}
