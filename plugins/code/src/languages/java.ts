import type {Language} from './language.js';

export const java: Language = {
  name: 'java',
  grammar: 'java',
  endings: ['.java'],
  definitions: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_constant name: (identifier) @name) @member
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @property
`,
  names: ['identifier', 'type_identifier'],
  before: ['line_comment', 'block_comment'],
  supers: `
(class_declaration (superclass (_) @super)) @sub
(class_declaration (super_interfaces (type_list (_) @super))) @sub
(interface_declaration (extends_interfaces (type_list (_) @super))) @sub
`,
};

export const kotlin: Language = {
  name: 'kotlin',
  grammar: 'kotlin',
  endings: ['.kt', '.kts'],
  definitions: `
(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(type_alias type: (identifier) @name) @type
(property_declaration (variable_declaration (identifier) @name)) @property
(enum_entry (identifier) @name) @member
`,
  names: ['identifier'],
  before: ['line_comment', 'block_comment'],
  supers: '(class_declaration (delegation_specifiers (delegation_specifier (_) @super))) @sub',
};

export const csharp: Language = {
  name: 'csharp',
  grammar: 'c-sharp',
  endings: ['.cs'],
  definitions: `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @member
(delegate_declaration name: (identifier) @name) @type
(namespace_declaration name: (_) @name) @module
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @property
(local_function_statement name: (identifier) @name) @function
`,
  names: ['identifier'],
  before: ['comment'],
  supers: `
(class_declaration (base_list (_) @super)) @sub
(interface_declaration (base_list (_) @super)) @sub
(struct_declaration (base_list (_) @super)) @sub
`,
};
