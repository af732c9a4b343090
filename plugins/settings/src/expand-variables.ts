import {isObject} from './key-path.js';

type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})/g;

/**
 * The value with `$NAME`, `${NAME}` and `${NAME:-default}` replaced in every string; names that are not set stay as
 * written.
 */
export function expandVariables(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return value.includes('$') ? expandText(value, variables) : value;
  if (Array.isArray(value)) return value.map((item) => expandVariables(item, variables));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, part]) => [key, expandVariables(part, variables)]));
}

function expandText(text: string, variables: Variables): string {
  return text.replace(
    REFERENCE,
    (written, bare: string | undefined, braced: string | undefined, fallback: string | undefined) => {
      const name = bare ?? braced ?? '';
      return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? fallback ?? written;
    },
  );
}
