/**
 * Suites that take longest and change least: generated cases, agreements with other programs, and guides that are
 * followed from an empty folder. `npm run test:slow` runs them alone; `--short` runs all others (decision 141).
 */
export const slowSuites = [
  'bin/bundles',
  'docs/write-a-plugin',
  'journeys/agent-faults',
  'journeys/crash-resume',
  'journeys/help',
  'journeys/odd-files',
  'journeys/plugin-reload',
  'plugins/bundles/bundle/apply-bundle',
  'plugins/bundles/install/dependencies/resolve-simply',
  'plugins/bundles/install/warts',
  'plugins/bundles/private-registry',
  'plugins/devkit/build',
  'plugins/devkit/check',
  'plugins/devkit/create',
  'plugins/devkit/pack',
  'plugins/extensions/convert',
  'plugins/policy/bash/corpus',
  'plugins/policy/commands/prove',
  'plugins/policy/floor/floor',
  'plugins/search/ignore-agreement',
  'plugins/search/pattern-agreement',
  'plugins/sessions/records',
  'plugins/sessions/shell-changes',
];
