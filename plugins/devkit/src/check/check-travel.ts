import {findingsOf, type Finding, type Subject} from './subject.js';

/** Services that no other process could call: they list no methods, or list a local one. */
export function checkTravel({manifest: {services}}: Subject): readonly Finding[] {
  const silent = services.filter(({local, methods}) => local !== true && !methods);
  const torn = services.flatMap(({name, local = [], methods = []}) =>
    methods.filter((method) => local === true || local.includes(method)).map((method) => `${name}.${method}`),
  );
  return [
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
