import {findingsOf, type Finding, type Subject} from './subject.js';

/** Services for which no other process could make a stand-in: they name no methods, or name one that is local. */
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
          `The service ${name} would not travel: it names no methods. Add methods: [...] to its file, or local: true ` +
          'if it works within one process only.',
      ),
    ),
    ...findingsOf(
      'error',
      'travel',
      torn.map((method) => `${method} is among the methods that travel, and local. Take it out of one of them.`),
    ),
  ];
}
