import type {Language} from './language.js';

export const python: Language = {
  name: 'python',
  grammar: 'python',
  endings: ['.py', '.pyi', '.pyw'],
  definitions: `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @property)))
`,
  names: ['identifier'],
  before: ['comment', 'decorator'],
  around: ['decorated_definition', 'expression_statement'],
  supers: '(class_definition superclasses: (argument_list (_) @super)) @sub',
  locals: {
    scopes: [
      'function_definition',
      'lambda',
      'list_comprehension',
      'dictionary_comprehension',
      'set_comprehension',
      'generator_expression',
    ],
    query: `
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(parameters (identifier) @local)
(parameters (default_parameter name: (identifier) @local))
(parameters (typed_parameter (identifier) @local))
(parameters (typed_default_parameter name: (identifier) @local))
(parameters (list_splat_pattern (identifier) @local))
(parameters (dictionary_splat_pattern (identifier) @local))
(lambda_parameters (identifier) @local)
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
`,
  },
};
