/** Forms that services give to their keys and tokens. */
export const FORMS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /\bgh[pousr]_[A-Za-z0-9]{36}/,
  /\bgithub_pat_\w{22}/,
  /\bgl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{20}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{35}/,
  /\bya29\.[\w-]{20}/,
  /\bsk-[\w-]{20}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10}/,
  /\bwhsec_[A-Za-z0-9+/]{20}/,
  /\bxox[abeoprs]-[\w-]{10}/,
  /\bxapp-[\w-]{10}/,
  /\bhooks\.slack\.com\/services\/T\w+\/B\w+\/\w+/,
  /\bnpm_[A-Za-z0-9]{36}/,
  /\bpypi-[\w-]{16}/,
  /\bhf_[A-Za-z0-9]{30}/,
  /\bdop_v1_[a-f0-9]{64}/,
  /\bSG\.[\w-]{22}\.[\w-]{43}/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/,
  /\bAccountKey=[A-Za-z0-9+/=]{20}/,
  /\b(?:bearer|basic) [\w.~+/-]{16,}/i,
];
/** What was taken out before is no password. */
export const PASSWORD_IN_URL = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]*:(?!\[redacted)([^\s/?#@]+)@/gi;

/** Whether a value has the form of a secret, whatever its variable is called. */
export function hasSecretForm(value: string): boolean {
  return FORMS.some((form) => form.test(value)) || passwordsIn(value).length > 0;
}

/** The passwords in the URLs of a value, as they stand there. */
export function passwordsIn(value: string): readonly string[] {
  return [...value.matchAll(PASSWORD_IN_URL)].flatMap(([, password]) => password ?? []);
}

const COMMON: readonly RegExp[] = [
  // Words, numbers and names with dots, as they stand in any text.
  /^[A-Za-z]{1,15}$/,
  /^[\d.,:_-]{1,15}$/,
  /^(?:[a-z0-9-]{1,24}\.){1,8}[a-z]{2,24}(?::\d{1,5})?$/,
  /^[a-z]{2,15}[-_ ][a-z]{2,15}$/,
  // Paths.
  /^(?:~|\.{1,2}|[A-Za-z]:)[\\/]/,
  /^\/(?:Applications|Library|Users|Volumes|app|bin|data|dev|etc|home|lib|mnt|nix|opt|private|proc|root|run|snap|srv|sys|tmp|usr|var|workspaces?)(?:\/|$)/,
  /^[a-z][a-z0-9+.-]*:\/\/[\w.:/-]*$/i,
];

/** Whether a value is so common that taking it out of texts would harm them more than it hides. */
export function isCommonValue(value: string): boolean {
  return value.length < 8 || (!hasSecretForm(value) && COMMON.some((form) => form.test(value)));
}
