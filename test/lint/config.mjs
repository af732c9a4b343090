import tseslint from 'typescript-eslint';
import freeReaders from './free-readers.mjs';
import latePromises from './late-promises.mjs';
import layers from './layers.mjs';
import noWorkOnImport from './no-work-on-import.mjs';

const house = {rules: {'late-promises': latePromises, layers, 'no-work-on-import': noWorkOnImport}};

const emptyCatch = {
  selector: 'CatchClause[body.body.length=0]',
  message:
    'An empty catch hides what it did not expect. Name the error you expect, rethrow the rest, and say why going ' +
    'on is right.',
};
const anyCatch = {
  selector:
    "CallExpression[callee.property.name='catch'] > " +
    "ArrowFunctionExpression[body.type='BlockStatement'][body.body.length=0]",
  message: emptyCatch.message,
};
const moduleMock = {
  selector:
    "CallExpression[callee.object.name='jest'][callee.property.name=/^(mock|unstable_mockModule|doMock|setMock)$/]",
  message:
    'A mocked module proves nothing about the real one. Use a real process, socket or file, or pass the part in.',
};
const skippedTest = {
  selector: 'CallExpression[callee.object.name=/^(test|it|describe)$/][callee.property.name=/^(skip|only|todo)$/]',
  message: 'A test that does not run, or keeps others from running, is worse than none.',
};
const sleep = {
  selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout'][arguments.0.name='resolve']",
  message: 'Waiting for time to pass makes a test slow and flaky. Wait for the event.',
};
const defaultExport = {
  selector: 'ExportDefaultDeclaration',
  message:
    'Only a contribution (tool, service, hook, listener, flag, command, errors) has a default export; name this one.',
};
const ambient = ['process', 'console'].map((name) => ({
  name,
  message:
    `${name} belongs to bin/. A plugin gets what it needs from its context's environment; a ` + 'command has this.log.',
}));

const reading =
  'What is read may be a FIFO, a device or endless. Use readText or readRegular of @gemini-kernel/files, or add ' +
  'the file to test/lint/free-readers.mjs with its reason.';
const unboundedReads = [
  {name: 'node:fs', importNames: ['readFile', 'readFileSync', 'promises'], message: reading},
  {name: 'node:fs/promises', importNames: ['readFile'], message: reading},
];

export default tseslint.config(
  {ignores: ['**/dist/', '**/node_modules/', 'test/fixtures/', 'test/surface/contracts/', 'docs/']},
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: {parserOptions: {projectService: true}},
    plugins: {house},
    rules: {
      'house/late-promises': 'error',
      'house/layers': 'error',
      'no-restricted-syntax': ['error', emptyCatch, anyCatch, moduleMock],
      'max-lines': ['error', {max: 250}],
      'max-lines-per-function': ['error', {max: 50, skipComments: true}],
      'max-params': ['error', 4],
      'max-len': ['error', {code: 120, ignoreRegExpLiterals: true}],
      complexity: ['error', 12],
      eqeqeq: 'error',
      'prefer-const': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', {checksVoidReturn: false}],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        {fixStyle: 'inline-type-imports', disallowTypeAnnotations: false},
      ],
      '@typescript-eslint/no-empty-object-type': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
    },
  },
  {
    files: ['kernel/**/*.ts', 'plugins/*/src/**/*.ts'],
    rules: {'house/no-work-on-import': 'error', 'no-restricted-globals': ['error', ...ambient]},
  },
  {
    files: ['kernel/**/*.ts', 'plugins/*/src/**/*.ts', 'bin/src/**/*.ts'],
    ignores: ['kernel/files/**', ...Object.keys(freeReaders)],
    rules: {'no-restricted-imports': ['error', {paths: unboundedReads}]},
  },
  {files: ['kernel/src/testing/**/*.ts', 'plugins/agent/src/testing/**/*.ts'], rules: {'no-restricted-globals': 'off'}},
  {
    files: ['kernel/**/*.ts', 'plugins/*/src/*.ts', 'bin/src/**/*.ts'],
    ignores: ['plugins/*/src/errors.ts'],
    rules: {'no-restricted-syntax': ['error', emptyCatch, anyCatch, moduleMock, defaultExport]},
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', emptyCatch, anyCatch, moduleMock, skippedTest, sleep],
      // A promise that fails unheard fails the test, as it should.
      'house/late-promises': 'off',
      // A title stands on the line of its test; embedded programs and expected texts are as they are.
      'max-len': [
        'error',
        {
          code: 120,
          ignoreRegExpLiterals: true,
          ignoreTemplateLiterals: true,
          ignorePattern: '^\\s*(test|describe)[.(]',
        },
      ],
      complexity: 'off',
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'max-params': 'off',
    },
  },
);
