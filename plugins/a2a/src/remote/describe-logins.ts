import type {AgentCard} from '#client';

type Scheme = NonNullable<AgentCard['securitySchemes'][string]['scheme']>;

const MOST = 8;

/** The logins that a card names, by the types that files of agents have; each word of the card is one word here. */
export function describeLogins({securitySchemes}: Pick<AgentCard, 'securitySchemes'>): string {
  const named = Object.values(securitySchemes ?? {}).flatMap(({scheme}) => (scheme ? [describe(scheme)] : []));
  const several = [...new Set(named)].slice(0, MOST);
  return several.length === 0 ? 'Its card names no login.' : `Its card names these logins: ${several.join('; ')}.`;
}

function describe(scheme: Scheme): string {
  switch (scheme.$case) {
    case 'apiKeySecurityScheme':
      return scheme.value.location === 'header'
        ? `type apiKey, name ${word(scheme.value.name)}`
        : `a key in the ${word(scheme.value.location)}, which gemini does not send`;
    case 'httpAuthSecurityScheme':
      return `type http, scheme ${word(scheme.value.scheme)}`;
    case 'mtlsSecurityScheme':
      return 'a client certificate, which gemini does not send';
    default:
      return 'type oauth';
  }
}

function word(text: string): string {
  return String(text)
    .replaceAll(/[^\w.-]/g, '')
    .slice(0, 40);
}
