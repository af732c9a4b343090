import type {Language} from './language.js';

const RECEIVER = `(parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (pointer_type (type_identifier) @owner)
  (generic_type type: (type_identifier) @owner)
  (pointer_type (generic_type type: (type_identifier) @owner))
]))`;

export const go: Language = {
  name: 'go',
  grammar: 'go',
  endings: ['.go'],
  definitions: `
(function_declaration name: (identifier) @name) @function
(method_declaration receiver: ${RECEIVER} name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(field_declaration name: (field_identifier) @name) @property
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
`,
  names: ['identifier', 'type_identifier', 'field_identifier', 'package_identifier'],
  members: ['field_identifier'],
  before: ['comment'],
  around: ['type_declaration', 'const_declaration', 'var_declaration'],
};
