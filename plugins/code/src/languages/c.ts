import type {Language} from './language.js';

const shared = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator (function_declarator declarator: (identifier) @name))) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @function
(struct_specifier name: (type_identifier) @name body: (_)) @struct
(union_specifier name: (type_identifier) @name body: (_)) @struct
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(enumerator name: (identifier) @name) @member
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(field_declaration declarator: (field_identifier) @name) @property
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @variable)
`;

const NAMES = ['identifier', 'type_identifier', 'field_identifier'];

export const c: Language = {
  name: 'c',
  grammar: 'c',
  endings: ['.c', '.h'],
  definitions: shared,
  names: NAMES,
  members: ['field_identifier'],
  before: ['comment'],
};

export const cpp: Language = {
  name: 'cpp',
  grammar: 'cpp',
  endings: ['.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.ipp'],
  definitions: `${shared}
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (_) @name) @module
(function_definition declarator: (function_declarator declarator: (field_identifier) @name)) @method
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(function_definition declarator: (function_declarator
  declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name))) @method
(alias_declaration name: (type_identifier) @name) @type
`,
  names: [...NAMES, 'namespace_identifier'],
  members: ['field_identifier'],
  before: ['comment'],
  around: ['template_declaration'],
  supers: `
(class_specifier (base_class_clause (type_identifier) @super)) @sub
(struct_specifier (base_class_clause (type_identifier) @super)) @sub
`,
};
