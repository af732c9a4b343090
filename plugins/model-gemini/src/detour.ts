import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** An answer that does not come from the API: a web page, or the word to ask elsewhere. */
export class Detour extends Error {
  override readonly name = 'Detour';

  constructor(
    readonly status: number,
    /** Where requests are sent on to; undefined = a page came. */
    readonly target?: string,
  ) {
    super('Another than the API answered.');
  }
}

const SENT_ON = [301, 302, 303, 307, 308];

/**
 * Throws Detour for an answer that sends elsewhere, since the key would go there too, and for a page in the place of an
 * answer.
 */
export async function refuseDetour(response: Response): Promise<void> {
  const target = response.headers.get('location');
  const isSentOn = target !== null && SENT_ON.includes(response.status);
  const isPage = response.ok && /^(text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
  if (!isSentOn && !isPage) return;
  await response.body?.cancel();
  throw new Detour(response.status, isSentOn ? nameTarget(target, response.url) : undefined);
}

/** The host alone: the rest of such an address may hold secrets. */
function nameTarget(target: string, from: string): string {
  if (!URL.canParse(target, from)) return 'what is no address';
  const [{host, origin}, asked] = [new URL(target, from), new URL(from)];
  return host !== asked.host ? host : origin === asked.origin ? 'another path there' : origin;
}

/** What a detour means; `where` is the model and the host that was asked, `variable` what names that host. */
export function explainDetour(
  {status, target}: Detour,
  where: {readonly model: string; readonly host: string},
  variable: string,
): ModelFailure {
  const asked = `${where.model} at ${where.host}`;
  const login = 'a proxy or a network that wants a login first answers so';
  if (target === undefined)
    return {
      kind: 'network',
      isFinal: true,
      status,
      message: `${asked} answered with a web page and not as the API does.`,
      hint: `Look at ${where.host} in a browser: ${login}. If there is none, check ${variable}.`,
    };
  const message =
    `${asked} answered ${status}: it sends requests on to ${target}. That is not followed, since the key would go ` +
    'there too.';
  return {
    kind: 'network',
    isFinal: true,
    status,
    message,
    hint: `If the API is there, say so in ${variable}; if not, ${login}.`,
  };
}
