import {ToolError} from '@gemini-kernel/kernel';

const LONGEST = 2000;

/** The address that a text names, without its fragment. Throws ToolError URL_INVALID. */
export function readUrl(text: string): URL {
  const fail = (why: string): never => {
    throw new ToolError('URL_INVALID', `Cannot fetch ${shorten(text)}: ${why}.`, {
      hint: 'Give a whole address, such as https://example.com/page.',
    });
  };
  if (text.length > LONGEST) fail(`it has ${text.length} characters; ${LONGEST} are possible`);
  const url = URL.canParse(text) ? new URL(text) : fail('it is not an address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') fail(`${url.protocol.slice(0, -1)} is not http or https`);
  if (url.username !== '' || url.password !== '') fail('it contains a user name or a password');
  url.hash = '';
  return rawFile(url) ?? url;
}

/** The addresses in a text, each once, in order. */
export function findUrls(text: string): readonly string[] {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'`\\^{}|]+/gi) ?? [];
  return [...new Set(found.map(trimEnd))];
}

/** Punctuation of the sentence around an address, and brackets that it does not open. */
function trimEnd(url: string): string {
  const plain = url.replace(/[.,;:!?*_]+$/, '');
  const isOpen = plain.endsWith(')') && plain.split('(').length < plain.split(')').length;
  return isOpen || /[\]]$/.test(plain) ? trimEnd(plain.slice(0, -1)) : plain;
}

/** The file behind a page of GitHub that shows it. */
function rawFile({hostname, pathname}: URL): URL | undefined {
  const [, owner, repository, kind, ...rest] = pathname.split('/');
  if (hostname !== 'github.com' || kind !== 'blob' || rest.length < 2) return undefined;
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest.join('/')}`);
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
