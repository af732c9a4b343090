/**
 * The data of each server-sent event in a body, as it comes. Comments and fields other than `data` are passed over; an
 * event that nothing ends counts.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  const take = function* (lines: readonly string[]): Generator<string> {
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  };
  for await (const chunk of body) {
    const text = rest + decoder.decode(chunk, {stream: true});
    // A carriage return at the end may be half of a line's end.
    const cut = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, cut).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(cut);
    yield* take(lines);
  }
  yield* take([...(rest + decoder.decode()).split(/\r\n|\n|\r/), '']);
}
