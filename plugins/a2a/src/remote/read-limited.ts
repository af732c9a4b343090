/** The body of an answer; undefined, and no more is read, when it has more bytes. */
export async function readLimited(answer: Response, most: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = answer.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.length;
    chunks.push(read.value);
    if (size <= most) continue;
    await reader?.cancel();
    return undefined;
  }
  return Buffer.concat(chunks);
}
