import {attributeOf, isElement, isLeftOut, textIn, textNodeOf, type Element, type Node, type Parent} from './tree.js';
import {tableToMarkdown} from './table.js';

/** Deeper nesting than any page that is written for people. */
const DEEPEST = 200;

const HEADINGS: Readonly<Record<string, string>> = {
  h1: '#',
  h2: '##',
  h3: '###',
  h4: '####',
  h5: '#####',
  h6: '######',
};
const BLOCKS: ReadonlySet<string> = new Set([
  ...['address', 'article', 'body', 'center', 'dd', 'details', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure'],
  ...['form', 'header', 'hgroup', 'html', 'li', 'main', 'p', 'section', 'summary', 'tbody', 'td', 'th', 'tr'],
]);
const MARKS: Readonly<Record<string, string>> = {strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~'};

/** Writes elements as Markdown. Blocks are separated by empty lines. */
export class MarkdownWriter {
  #depth = 0;

  constructor(private readonly base: string) {}

  write(root: Parent): string {
    return this.#children(root)
      .replace(/[^\S\n]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  #children({childNodes}: Parent): string {
    return childNodes.map((node) => this.#node(node)).join('');
  }

  #node(node: Node): string {
    const text = textNodeOf(node);
    if (text !== undefined) return text.replace(/\s+/g, ' ');
    if (!isElement(node) || isLeftOut(node)) return '';
    if (this.#depth >= DEEPEST) return textIn(node).replace(/\s+/g, ' ');
    this.#depth += 1;
    const written = this.#element(node);
    this.#depth -= 1;
    return written;
  }

  #element(element: Element): string {
    const {tagName} = element;
    const heading = HEADINGS[tagName];
    if (heading) return block(inline(this.#children(element)), (line) => `${heading} ${line}`);
    const write = this.#writers[tagName];
    if (write) return write(element);
    const mark = MARKS[tagName];
    if (mark) return marked(this.#children(element), mark);
    const inner = this.#children(element);
    return BLOCKS.has(tagName) ? `\n\n${inner.trim()}\n\n` : inner;
  }

  readonly #writers: Readonly<Record<string, (element: Element) => string>> = {
    br: () => '\n',
    hr: () => '\n\n---\n\n',
    a: (element) => this.#link(element),
    img: (element) => this.#image(element),
    pre: (element) => fenced(element),
    code: (element) => quoted(textIn(element)),
    kbd: (element) => quoted(textIn(element)),
    samp: (element) => quoted(textIn(element)),
    blockquote: (element) => prefixed(this.write(element), '> '),
    ul: (element) => this.#list(element, () => '- '),
    ol: (element) => this.#list(element, (index) => `${index + (Number(attributeOf(element, 'start')) || 1)}. `),
    table: (element) => `\n\n${tableToMarkdown(element, (cell) => inline(this.#children(cell)))}\n\n`,
  };

  #link(element: Element): string {
    const label = inline(this.#children(element));
    const target = this.#resolve(attributeOf(element, 'href'));
    if (label === '' || target === undefined) return label;
    return `[${label}](${target})`;
  }

  #image(element: Element): string {
    const label = inline(attributeOf(element, 'alt') ?? '');
    const target = this.#resolve(attributeOf(element, 'src'));
    return label === '' || target === undefined ? '' : `![${label}](${target})`;
  }

  #list(element: Element, marker: (index: number) => string): string {
    const items = element.childNodes.filter((node): node is Element => isElement(node) && !isLeftOut(node));
    const lines = items.map((item, index) => {
      const mark = marker(index);
      const isItem = item.tagName === 'li';
      const body = (isItem ? this.write(item) : this.#node(item).trim()).replace(/\n\n(?=\s*(?:[-*]|\d+\.) )/g, '\n');
      return mark + body.replaceAll('\n', `\n${' '.repeat(mark.length)}`);
    });
    return `\n\n${lines.filter((line) => line.trim() !== '-').join('\n')}\n\n`;
  }

  /** Where a link leads; undefined for what is not an address of the web, such as a script. */
  #resolve(href: string | undefined): string | undefined {
    if (href === undefined || !URL.canParse(href, this.base)) return undefined;
    const url = new URL(href, this.base);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol)
      ? url.href.replaceAll('(', '%28').replaceAll(')', '%29')
      : undefined;
  }
}

function block(text: string, write: (line: string) => string): string {
  return text === '' ? '' : `\n\n${write(text)}\n\n`;
}

/** Text on one line. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function marked(text: string, mark: string): string {
  const body = text.trim();
  if (body === '' || body.includes('\n')) return text;
  return text.replace(body, () => `${mark}${body}${mark}`);
}

function prefixed(text: string, prefix: string): string {
  return text === '' ? '' : `\n\n${text.replaceAll(/^/gm, prefix)}\n\n`;
}

function quoted(text: string): string {
  const body = text.replace(/\s+/g, ' ');
  if (body.trim() === '') return '';
  const fence = '`'.repeat(longestRun(body) + 1);
  return body.includes('`') ? `${fence} ${body} ${fence}` : `${fence}${body}${fence}`;
}

function fenced(element: Element): string {
  const body = textIn(element).replace(/^\n/, '').trimEnd();
  if (body === '') return '';
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `\n\n${fence}${languageOf(element)}\n${body}\n${fence}\n\n`;
}

/** What the class of the code says: `language-ts`, `highlight-source-ts`, `brush: ts`. */
function languageOf(element: Element): string {
  const classes = [element, ...element.childNodes.filter(isElement)].map((one) => attributeOf(one, 'class') ?? '');
  return /(?:lang(?:uage)?|highlight-source|brush:?)[-\s]([\w+#-]+)/.exec(classes.join(' '))?.[1] ?? '';
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
