import {findMain} from './find-main.js';
import {elementsIn, textIn} from './tree.js';
import {MarkdownWriter} from './markdown-writer.js';

/** A page of HTML as Markdown: its main part, with links, tables and code. */
export async function toMarkdown(html: string, url: URL): Promise<{readonly title: string; readonly text: string}> {
  const {parse} = await import('parse5');
  const document = parse(html);
  let title = '';
  let base = url.href;
  for (const element of elementsIn(document)) {
    if (element.tagName === 'title' && title === '') title = textIn(element).replace(/\s+/g, ' ').trim();
    if (element.tagName === 'base') {
      const href = element.attrs.find(({name}) => name === 'href')?.value ?? '';
      base = URL.canParse(href, url.href) ? new URL(href, url.href).href : base;
    }
    if (element.tagName === 'body') break;
  }
  return {title, text: new MarkdownWriter(base).write(findMain(document))};
}
