import type {Language} from './language.js';

const OWNER = '[(type_identifier) @owner (generic_type type: (type_identifier) @owner)]';

export const rust: Language = {
  name: 'rust',
  grammar: 'rust',
  endings: ['.rs'],
  definitions: `
(impl_item type: ${OWNER} body: (declaration_list (function_item name: (identifier) @name) @method))
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
(trait_item name: (type_identifier) @name) @interface
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @property
`,
  names: ['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier'],
  members: ['field_identifier'],
  before: ['line_comment', 'block_comment', 'attribute_item'],
  supers: `(impl_item trait: (_) @super type: ${OWNER.replaceAll('@owner', '@sub')})`,
};
