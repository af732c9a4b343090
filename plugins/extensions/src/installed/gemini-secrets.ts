import {createDecipheriv, createHash, scrypt} from 'node:crypto';
import {hostname, userInfo} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {readText} from '@gemini-kernel/files';
import {findSecret} from '@gemini-kernel/files/sealed';
import type {Environment} from '@gemini-kernel/kernel';
import {isTable} from '../manifest/is-table.js';
import type {FoundExtension} from './found-extension.js';

type Owner = Pick<FoundExtension, 'name' | 'source'>;
type Place = Pick<Environment, 'home' | 'platform' | 'variables' | 'cwd'>;

/** What Gemini CLI keeps, and why the rest is not known, as a clause. */
export interface GeminiSecrets {
  readonly values: Readonly<Record<string, string>>;
  readonly fault?: string;
}

/**
 * Secret settings of an extension that Gemini CLI installed: in the keychain of the system, or in its own file where
 * it had none. Those of the current directory count before those of everywhere.
 */
export async function findGeminiSecrets(
  owner: Owner,
  variables: readonly string[],
  place: Place,
): Promise<GeminiSecrets> {
  const everywhere = `Gemini CLI Extensions ${owner.name} ${idOf(owner)}`;
  const services = [`${everywhere} ${place.cwd}`, everywhere];
  const file = await readFile(place.home);
  const found = await Promise.all(variables.map((variable) => findOne(services, `__secret__${variable}`, place, file)));
  const entries = variables.flatMap((variable, index) => {
    const {value} = found[index] ?? {};
    return value === undefined ? [] : [[variable, value] as const];
  });
  const fault = found.find((one) => one.value === undefined && one.fault !== undefined)?.fault;
  return {values: Object.fromEntries(entries), ...(fault === undefined ? {} : {fault})};
}

interface One {
  readonly value?: string;
  readonly fault?: string;
}

async function findOne(services: readonly string[], account: string, place: Place, file: Kept): Promise<One> {
  let fault: string | undefined;
  for (const service of services) {
    const kept = file.values?.[service];
    const inFile = isTable(kept) ? kept[account] : undefined;
    if (typeof inFile === 'string') return {value: inFile};
    if (place.variables['GEMINI_FORCE_FILE_STORAGE'] === 'true') continue;
    const asked = await findSecret({service, account}, place);
    if ('fault' in asked) fault ??= asked.fault;
    else if (asked.value !== undefined) return {value: asked.value};
  }
  const clause = file.fault ?? fault;
  return clause === undefined ? {} : {fault: clause};
}

/** The id that Gemini CLI gives an extension: a digest of where it is from. */
function idOf({name, source}: Owner): string {
  const {type, location} = source;
  const repository = type === 'git' ? repositoryOf(location) : undefined;
  const text = repository ?? (type === 'unknown' ? name : location);
  return createHash('sha256').update(text).digest('hex');
}

/** The address of a repository of GitHub, however it is written; undefined for any other. */
function repositoryOf(location: string): string | undefined {
  const path = location.startsWith('git@github.com:') ? location.slice('git@github.com:'.length) : location;
  if (path.startsWith('git@') || !URL.canParse(path, 'https://github.com')) return undefined;
  const {host, pathname} = new URL(path, 'https://github.com');
  const [owner, repository, ...more] = pathname.split('/').filter((part) => part !== '');
  if (host !== 'github.com' || owner === undefined || repository === undefined || more.length > 0) return undefined;
  return `https://github.com/${owner}/${repository.replace('.git', '')}`;
}

interface Kept {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

/** The file that Gemini CLI keeps secrets in where it finds no keychain, by service and account. */
async function readFile(home: string): Promise<Kept> {
  const path = join(home, '.gemini', 'gemini-credentials.json');
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : {fault: `${path} cannot be read`};
  }
  try {
    // The key that it is known to use: of the computer and the user, so it hides the values from a look only.
    const salt = `${hostname()}-${userInfo().username}-gemini-cli`;
    const key = (await promisify(scrypt)('gemini-cli-oauth', salt, 32)) as Buffer;
    const [nonce = '', tag = '', data = ''] = text.trim().split(':');
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'hex'), {authTagLength: 16});
    decipher.setAuthTag(Buffer.from(tag, 'hex'));
    const plain = Buffer.concat([decipher.update(Buffer.from(data, 'hex')), decipher.final()]);
    const values: unknown = JSON.parse(plain.toString('utf8'));
    return isTable(values) ? {values} : {fault: `${path} does not hold what Gemini CLI writes`};
  } catch {
    // Of another computer, another user, or damaged: they look the same.
    return {fault: `${path} was not written by you on this computer, or is damaged`};
  }
}
