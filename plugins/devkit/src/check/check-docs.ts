import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** Descriptions of parameters, and a README.md that names the contributions and capabilities. */
export async function checkDocs({root, manifest}: Subject): Promise<readonly Finding[]> {
  const {tools, services, commands, settings = [], capabilities = [], optional = []} = manifest;
  const parameters = tools.flatMap(({name, input}) =>
    Object.entries((input['properties'] ?? {}) as Record<string, {readonly description?: string}>)
      .filter(([, {description}]) => !description)
      .map(([key]) => `The parameter ${key} of ${name} has no description; the model needs one.`),
  );
  const readme = await readFile(join(root, 'README.md'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  const added = [
    ...tools.map(({name}) => ['tool', name]),
    ...services.map(({name}) => ['service', name]),
    ...commands.map(({id}) => ['command', id.replaceAll(':', ' ')]),
    ...settings.map(({key}) => ['setting', key]),
  ];
  // Each word of a command on its own: one line may describe several commands.
  const isSaid = (name: string): boolean =>
    readme === undefined || name.split(' ').every((word) => readme.includes(word));
  const unsaid = [...added, ...[...capabilities, ...optional].map((one) => ['capability', one])].filter(
    ([, name = '']) => !isSaid(name),
  );
  return [
    ...findingsOf('error', 'docs', parameters),
    ...findingsOf('error', 'docs', readme === undefined ? ['There is no README.md.'] : []),
    ...findingsOf(
      'warning',
      'docs',
      unsaid.map(([kind = '', name = '']) => `README.md does not mention the ${kind} ${name}.`),
    ),
  ];
}
