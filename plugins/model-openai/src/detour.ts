import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';
import type {Asked} from './refusal.js';

const SENT_ON = [301, 302, 303, 307, 308];
const WHICH = 'the setting openai.baseUrl, or OPENAI_BASE_URL';

/**
 * What is wrong with an answer that sends elsewhere, since the key would go there too, or that is a web page; undefined
 * for any other.
 */
export function explainDetour({status, ok, headers, url}: Response, {model, baseUrl}: Asked): ModelFailure | undefined {
  const target = headers.get('location');
  const asked = `${model} at ${new URL(baseUrl).host}`;
  const failure = {kind: 'network', isFinal: true, status} as const;
  if (target !== null && SENT_ON.includes(status)) {
    const message =
      `${asked} answered ${status}: it sends requests on to ${nameTarget(target, url)}. That is not followed, since ` +
      'the key would go there too.';
    return {
      ...failure,
      message,
      hint:
        `If the server is there, say so in ${WHICH}; if not, a proxy or a network that wants a login first answers ` +
        'so.',
    };
  }
  if (!ok || !/^(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '')) return undefined;
  return {
    ...failure,
    message: `${asked} answered with a web page and not as the API does.`,
    hint: `Check ${WHICH}: most addresses end in /v1. A proxy or a network that wants a login first answers so too.`,
  };
}

/** The host alone: the rest of such an address may hold secrets. */
function nameTarget(target: string, from: string): string {
  if (!URL.canParse(target, from)) return 'what is no address';
  const [{host, origin}, asked] = [new URL(target, from), new URL(from)];
  return host !== asked.host ? host : origin === asked.origin ? 'another path there' : origin;
}
