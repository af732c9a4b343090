import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** An answer that does not come from the API: a web page, or a redirect. */
export class Detour extends Error {
  override readonly name = 'Detour';

  constructor(
    readonly status: number,
    /** The target of the redirect; undefined = a web page. */
    readonly target?: string,
  ) {
    super('The answer does not come from the API.');
  }
}

const SENT_ON = [301, 302, 303, 307, 308];

/** Throws Detour for a redirect, because the key would go there too, and for a web page instead of an answer. */
export async function refuseDetour(response: Response): Promise<void> {
  const target = response.headers.get('location');
  const isSentOn = target !== null && SENT_ON.includes(response.status);
  const isPage = response.ok && /^(text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
  if (!isSentOn && !isPage) return;
  await response.body?.cancel();
  throw new Detour(response.status, isSentOn ? nameTarget(target, response.url) : undefined);
}

/** Only the host: the rest of such an address may contain secrets. */
function nameTarget(target: string, from: string): string {
  if (!URL.canParse(target, from)) return 'an invalid address';
  const [{host, origin}, asked] = [new URL(target, from), new URL(from)];
  return host !== asked.host ? host : origin === asked.origin ? 'another path there' : origin;
}

/** Describes a detour; `where` is the model and the host of the request, `variable` the name of the host's variable. */
export function explainDetour(
  {status, target}: Detour,
  where: {readonly model: string; readonly host: string},
  variable: string,
): ModelFailure {
  const asked = `${where.model} at ${where.host}`;
  const login = 'a proxy or a network that requires a login may answer like this';
  if (target === undefined)
    return {
      kind: 'network',
      isFinal: true,
      status,
      message: `${asked} answered with a web page, not like the API.`,
      hint: `Open ${where.host} in a browser: ${login}. Otherwise check ${variable}.`,
    };
  const message =
    `${asked} answered ${status}: it redirects to ${target}. gemini does not follow, because the key would go ` +
    'there too.';
  return {
    kind: 'network',
    isFinal: true,
    status,
    message,
    hint: `If the API is there, set ${variable} to it; otherwise, ${login}.`,
  };
}
