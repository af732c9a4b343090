import {deflateSync} from 'node:zlib';
import {describe, expect, test} from '@jest/globals';
import {readPdf} from '#plugins/web/dist/pdf/read-pdf.js';

/** A PDF with one line of text a page, packed as programs that write PDFs do. */
function makePdf(pages: readonly string[]): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string | Buffer): number =>
    objects.push(Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'));
  const first = 4;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  add('<</Type /Catalog /Pages 2 0 R>>');
  add(`<</Type /Pages /Kids [${kids}] /Count ${pages.length}>>`);
  add('<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>');
  for (const [index, text] of pages.entries()) {
    const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -1 Td`);
    const content = deflateSync(`BT /F1 1 Tf 72 720 Td ${lines.join(' ')} ET`);
    add(
      `<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + index * 2 + 1} 0 R ` +
        '/Resources <</Font <</F1 3 0 R>>>>>>',
    );
    add(
      Buffer.concat([
        Buffer.from(`<</Length ${content.length} /Filter /FlateDecode>>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    );
  }
  let body = Buffer.from('%PDF-1.7\n');
  const places = objects.map((object, index) => {
    const at = body.length;
    body = Buffer.concat([body, Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    return at;
  });
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.concat([body, Buffer.from(end)]);
}

describe('a PDF', () => {
  test('is read as text, page by page [web.pdf]', async () => {
    const text = await readPdf(makePdf(['The first page of an order (draft).', 'The second page has a total of 42.']));
    expect(text).toBe(
      '## Page 1\n\nThe first page of an order (draft).\n\n## Page 2\n\nThe second page has a total of 42.',
    );
  });

  test.each([
    ['without text', makePdf(['', ''])],
    ['that is only a beginning', Buffer.from('%PDF-1.7 and nothing else')],
    ['that is cut', makePdf(['The first page of an order.']).subarray(0, 200)],
    ['that is empty', Buffer.alloc(0)],
  ])('%s has none [web.pdf]', async (_, bytes) => {
    expect(await readPdf(bytes)).toBeUndefined();
  });

  test('with a great many pages is cut, in bounded memory [web.pdf]', async () => {
    const before = process.memoryUsage().rss;
    const text = await readPdf(makePdf(Array.from({length: 600}, () => `${'x'.repeat(90)}\n`.repeat(70))));
    expect(text).toContain('other');
    expect(text?.length).toBeLessThan(2_200_000);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(300);
  });
});
