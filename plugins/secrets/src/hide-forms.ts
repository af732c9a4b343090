import {FORMS, PASSWORD_IN_URL} from './secret-form.js';
import {isSecretName} from './secret-name.js';

const HIDDEN = '[redacted]';
const KEY_BLOCK = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*-----|$)/g;
/** What can follow the part of a key that shows its form. */
const REST = '[\\w.~+/=-]*';
const PAIR = /\b([A-Za-z][\w-]*)(["'`]?\s*(?:=|:|\bis\b)\s*["'`]?)([^\s"'`]{6,})/g;

/** Replaces what has the form of a secret: keys of services, key blocks, passwords in URLs, and `password: …`. */
export function hideSecretForms(given: string): {readonly text: string; readonly count: number} {
  let count = 0;
  const hide = (): string => {
    count += 1;
    return HIDDEN;
  };
  let text = given.replaceAll(KEY_BLOCK, hide);
  for (const form of FORMS) text = text.replaceAll(new RegExp(form.source + REST, `${form.flags}g`), hide);
  text = text.replaceAll(PASSWORD_IN_URL, (whole, password: string) => whole.replace(`:${password}@`, `:${hide()}@`));
  text = text.replaceAll(PAIR, (whole, name: string, between: string, value: string) =>
    isNamedSecret(name, value) ? `${name}${between}${hide()}` : whole,
  );
  return {text, count};
}

/** Whether a text has the name of a secret with a value behind it, as in `password: …`. */
export function namesSecret(text: string): boolean {
  return [...text.matchAll(PAIR)].some(([, name = '', , value = '']) => isNamedSecret(name, value));
}

/** Words are no values. */
function isNamedSecret(name: string, value: string): boolean {
  if (value.startsWith('[redacted')) return false;
  return isSecretName(name.replaceAll('-', '_')) && /\d|[^\w.-]/.test(value.replace(/[.,;:!?)]+$/, ''));
}
