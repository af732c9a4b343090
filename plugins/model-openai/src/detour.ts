import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Asked} from './refusal.js';

const SENT_ON = [301, 302, 303, 307, 308];
const WHICH = 'the setting openai.baseUrl, or OPENAI_BASE_URL';

/**
 * The failure of an answer that is a redirect, because the key would go there too, or a web page; undefined for any
 * other.
 */
export function explainDetour({status, ok, headers, url}: Response, {model, baseUrl}: Asked): ModelFailure | undefined {
  const target = headers.get('location');
  const asked = `${model} at ${new URL(baseUrl).host}`;
  const failure = {kind: 'network', isFinal: true, status} as const;
  if (target !== null && SENT_ON.includes(status)) {
    const message =
      `${asked} answered ${status}: it redirects to ${nameTarget(target, url)}. gemini does not follow, because ` +
      'the key would go there too.';
    return {
      ...failure,
      message,
      hint:
        `If the server is there, set it in ${WHICH}; otherwise, a proxy or a network that requires a login may ` +
        'answer like this.',
    };
  }
  if (!ok || !/^(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '')) return undefined;
  return {
    ...failure,
    message: `${asked} answered with a web page, not like the API.`,
    hint: `Check ${WHICH}: most addresses end in /v1. A login page of a proxy or network also looks like this.`,
  };
}

/** Only the host: the rest of such an address may contain secrets. */
function nameTarget(target: string, from: string): string {
  if (!URL.canParse(target, from)) return 'an invalid address';
  const [{host, origin}, asked] = [new URL(target, from), new URL(from)];
  return host !== asked.host ? host : origin === asked.origin ? 'another path there' : origin;
}
