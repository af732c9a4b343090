import type {Language} from './language.js';

export const ruby: Language = {
  name: 'ruby',
  grammar: 'ruby',
  endings: ['.rb', '.rake', '.gemspec'],
  definitions: `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(program (assignment left: (constant) @name) @constant)
(body_statement (assignment left: (constant) @name) @constant)
`,
  names: ['identifier', 'constant'],
  before: ['comment'],
  supers: '(class superclass: (superclass (_) @super)) @sub',
};

export const php: Language = {
  name: 'php',
  grammar: 'php',
  endings: ['.php'],
  definitions: `
(function_definition name: (name) @name) @function
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @interface
(enum_declaration name: (name) @name) @enum
(method_declaration name: (name) @name) @method
(const_element (name) @name) @constant
(property_element name: (variable_name (name) @name)) @property
`,
  names: ['name'],
  before: ['comment', 'attribute_list'],
  around: ['const_declaration', 'property_declaration'],
  supers: `
(class_declaration (base_clause (name) @super)) @sub
(class_declaration (class_interface_clause (name) @super)) @sub
(interface_declaration (base_clause (name) @super)) @sub
`,
};

export const bash: Language = {
  name: 'bash',
  grammar: 'bash',
  endings: ['.sh', '.bash'],
  definitions: `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
`,
  names: ['word', 'variable_name', 'command_name'],
  before: ['comment'],
};
