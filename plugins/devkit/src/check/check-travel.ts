import {findingsOf, type Finding, type Subject} from './subject.js';

/**
 * What would not work in a process of its own: services that list no methods, or a local one, and services of others
 * that work within one process only.
 */
export function checkTravel({manifest: {services, requires}, others}: Subject): readonly Finding[] {
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
    ...findingsOf(
      'error',
      'travel',
      torn.map((method) => `${method} is listed both under methods and as local. Remove it from one of them.`),
    ),
  ];
}
