import {attributeOf, elementsIn, textIn, type Element, type Parent} from './tree.js';

/** Shorter text is not what a page is about. */
const FEWEST = 200;

/** The part of a page that it is read for: its main element, its only article, else all of it. */
export function findMain(document: Parent): Parent {
  const all = [...elementsIn(document)];
  const body = all.find(({tagName}) => tagName === 'body') ?? document;
  const mains = all.filter((one) => one.tagName === 'main' || attributeOf(one, 'role') === 'main');
  const articles = all.filter(({tagName}) => tagName === 'article');
  const chosen = only(mains) ?? only(articles);
  return chosen && textIn(chosen).trim().length >= FEWEST ? chosen : body;
}

function only(elements: readonly Element[]): Element | undefined {
  return elements.length === 1 ? elements[0] : undefined;
}
