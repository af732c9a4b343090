import {findingsOf, type Finding, type Subject} from './subject.js';

/**
 * What would not work in a process of its own: services that list no methods, or a local one, and services of others
 * that work within one process only.
 */
export function checkTravel({manifest, others, code, isOfProduct}: Subject): readonly Finding[] {
  const {services, requires} = manifest;
  const silent = services.filter(({local, methods}) => local !== true && !methods);
  const torn = services.flatMap(({name, local = [], methods = []}) =>
    methods.filter((method) => local === true || local.includes(method)).map((method) => `${name}.${method}`),
  );
  const local = others
    .flatMap((plugin) => plugin.manifest.services)
    .filter(({name, local: isLocal}) => isLocal === true && name in {...requires.services, ...requires.optional});
  return [
    ...findingsOf(
      'warning',
      'travel',
      local.map(
        ({name}) => `The service ${name} works within one process only: where the plugin is isolated, it is not there.`,
      ),
    ),
    ...findingsOf(
      'warning',
      'travel',
      silent.map(
        ({name}) =>
          `The service ${name} cannot be called from another process: it lists no methods. Add methods: [...] to its ` +
          'file, or local: true if it works within one process only.',
      ),
    ),
    ...findingsOf('warning', 'travel', isOfProduct ? [] : findStaying({manifest, code})),
    ...findingsOf(
      'error',
      'travel',
      torn.map((method) => `${method} is listed both under methods and as local. Remove it from one of them.`),
    ),
  ];
}

const HOST_PARTS = /\bthis\.host\.(run|slash|leaveOut)\b/g;
const INPUT = /\b(?:process\.stdin|this\.host\.input)\b|\{[^}]*\bstdin\b[^}]*\}\s*from\s*['"]node:process['"]/;
const CONTEXT = /\bcreate\s*(?::\s*(?:async\s*)?)?\(\s*\{([^}]*)\}/;
const CONTEXT_PARTS = ['settings', 'commands', 'open'];

/** Uses in commands and services of what is not there in a process of its own, as far as the code shows them. */
function findStaying({manifest: {commands, services}, code}: Pick<Subject, 'manifest' | 'code'>): string[] {
  const textOf = (module: string): string => code.get(module.replace(/^\.\//, '')) ?? '';
  const inCommands = commands.flatMap(({id, module, terminal}) => {
    const text = textOf(module);
    const name = `The command ${id.replaceAll(':', ' ')}`;
    const parts = [...new Set([...text.matchAll(HOST_PARTS)].map(([use]) => use))];
    return [
      ...parts.map((use) => `${name} uses ${use}: where the plugin is isolated, it is not there.`),
      ...(INPUT.test(text) && terminal !== true
        ? [`${name} reads standard input, which is empty where the plugin is isolated. Add static terminal = true.`]
        : []),
    ];
  });
  const inServices = services.flatMap(({name, module}) => {
    const taken = (CONTEXT.exec(textOf(module))?.[1] ?? '').split(',').map((part) => part.split(':')[0]?.trim() ?? '');
    return CONTEXT_PARTS.filter((part) => taken.includes(part)).map(
      (part) => `The service ${name} uses ${part} of its context: where the plugin is isolated, it is not there.`,
    );
  });
  return [...inCommands, ...inServices];
}
