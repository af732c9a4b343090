import type {Brought, ExtensionSource} from '../contract.js';
import type {Manifest} from '../manifest/read-manifest.js';

/**
 * Everything that a person agrees to, as lines; two versions with the same lines ask for nothing new. An update that is
 * built elsewhere, or of which no one knows where, has other lines.
 */
export function describeConsent(brought: Brought, source?: ExtensionSource): readonly string[] {
  const {contextFiles, servers, excludedTools, commands, skills, hooks, policies, themes, planFolder} = brought;
  const {settings, variables, agents} = brought;
  return [
    ...(source?.built ? [describeBuild(source.built)] : []),
    ...servers.map(({name, target}) => `Starts or reaches the MCP server "${name}": ${target}`),
    ...hooks.map(({event, command}) => `Runs at ${event}: ${command}`),
    ...contextFiles.map((file) => `Tells the model what is in ${nameOf(file)}`),
    ...list(
      'Adds commands',
      commands.map((name) => `/${name}`),
    ),
    ...list('Adds skills', skills),
    ...list('Adds rules that make calls stricter', policies),
    ...list('Excludes tools', excludedTools),
    ...list('Adds themes', themes),
    ...list('Keeps plans of a project in', planFolder === undefined ? [] : [planFolder]),
    ...list('Reads your variables', variables),
    ...settings.map(({name, envVar, isSecret}) => `Asks for ${name} (${envVar}${isSecret ? ', secret' : ''})`),
    ...list('Gives the model agents', agents),
  ];
}

/** Without what differs from version to version. */
function describeBuild({repository, issuer}: NonNullable<ExtensionSource['built']>): string {
  return `Was built from ${repository}, proven by Sigstore, attested by ${issuer}`;
}

function list(label: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${label}: ${names.join(', ')}`];
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** The title of the question. */
export function describeSource({name, version}: Pick<Manifest, 'name' | 'version'>, source: ExtensionSource): string {
  const commit = source.commit === undefined ? '' : ` at ${source.commit.slice(0, 12)}`;
  const release = source.tag === undefined ? '' : `, ${source.asset ?? 'the source code'} of the release ${source.tag}`;
  return `The extension ${name} ${version} from ${source.location}${commit}${release}`;
}

/** What is new, and what is gone. */
export function compareConsent(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ];
}
