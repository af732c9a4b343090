import {isInvisible} from './invisible.js';
import type {DefaultTreeAdapterTypes} from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
export type Parent = DefaultTreeAdapterTypes.ParentNode;

export function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

export function textNodeOf(node: Node): string | undefined {
  return node.nodeName === '#text' && 'value' in node ? node.value : undefined;
}

export function attributeOf({attrs}: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

/** Every element below a node, in order. Works without recursion, because pages can be nested as deep as they like. */
export function* elementsIn(root: Parent): Generator<Element> {
  const left: Node[] = [...root.childNodes].reverse();
  for (let node = left.pop(); node; node = left.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child) left.push(child);
    }
  }
}

/** All text below a node that is not left out. */
export function textIn(root: Parent): string {
  const left: Node[] = [...root.childNodes].reverse();
  const texts: string[] = [];
  for (let node = left.pop(); node; node = left.pop()) {
    const text = textNodeOf(node);
    if (text !== undefined) texts.push(text);
    else if (isElement(node) && !isLeftOut(node)) left.push(...[...node.childNodes].reverse());
  }
  return texts.join('');
}

const NOT_CONTENT: ReadonlySet<string> = new Set([
  ...[
    'script',
    'style',
    'noscript',
    'template',
    'svg',
    'math',
    'canvas',
    'iframe',
    'object',
    'embed',
    'video',
    'audio',
  ],
  ...['button', 'input', 'select', 'textarea', 'option', 'nav', 'aside', 'footer', 'dialog', 'head', 'map'],
]);

/** What a reader of the page does not see, or does not read it for. */
export function isLeftOut(element: Element): boolean {
  if (NOT_CONTENT.has(element.tagName)) return true;
  if (attributeOf(element, 'hidden') !== undefined || attributeOf(element, 'aria-hidden') === 'true') return true;
  if (isInvisible(attributeOf(element, 'style') ?? '')) return true;
  return /^(navigation|banner|contentinfo|complementary|search|dialog)$/.test(attributeOf(element, 'role') ?? '');
}
