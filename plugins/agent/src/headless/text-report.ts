import {PlainText} from './plain-text.js';
import {describeEvent, type Report, type Streams} from './report.js';

/** The model's text as it arrives; everything else on standard error. */
export function createTextReport({out, err}: Streams, {raw}: {readonly raw: boolean}): Report {
  const plain = new PlainText();
  let isLineOpen = false;
  const write = (text: string): void => {
    if (text === '') return;
    out(text);
    isLineOpen = !text.endsWith('\n');
  };
  const endLine = (): void => {
    write(plain.end());
    if (isLineOpen) write('\n');
  };
  return {
    start: () => undefined,
    event(event) {
      if (event.kind === 'text') return write(raw ? event.text : plain.push(event.text));
      if (event.kind === 'message') return endLine();
      if (event.kind === 'silence')
        return err(
          `${event.model} has not answered for ${event.seconds} seconds. Still waiting; press Ctrl+C to stop.`,
        );
      const line = describeEvent(event);
      if (line) err(line);
    },
    finish({end: {error}}) {
      endLine();
      if (error) err(error.hint ? `${error.message}\n${error.hint}` : error.message);
    },
    fail: ({error}) => err(error.hint ? `${error.message}\n${error.hint}` : error.message),
  };
}
