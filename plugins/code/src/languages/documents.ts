import type {Language} from './language.js';

/** Formats whose symbols are keys: the two levels that orient a reader. */
export const json: Language = {
  name: 'json',
  grammar: 'json',
  endings: ['.json'],
  definitions: `
(document (object (pair key: (string (string_content) @name)) @key))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @key))))
`,
  names: [],
  before: [],
};

export const yaml: Language = {
  name: 'yaml',
  grammar: 'yaml',
  endings: ['.yaml', '.yml'],
  definitions: `
(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @key)))
(document (block_node (block_mapping (block_mapping_pair
  value: (block_node (block_mapping (block_mapping_pair key: (_) @name) @key))))))
`,
  names: [],
  before: ['comment'],
};

export const toml: Language = {
  name: 'toml',
  grammar: 'toml',
  endings: ['.toml'],
  definitions: `
(document (pair (bare_key) @name) @key)
(table . (_) @name) @key
(table_array_element . (_) @name) @key
(table (pair (bare_key) @name) @property)
`,
  names: [],
  before: ['comment'],
};

export const css: Language = {
  name: 'css',
  grammar: 'css',
  endings: ['.css'],
  definitions: `
(rule_set (selectors) @name) @key
(keyframes_statement (keyframes_name) @name) @key
(declaration (property_name) @name (#match? @name "^--")) @variable
`,
  names: ['class_name', 'id_name', 'property_name', 'plain_value'],
  before: ['comment'],
};

export const html: Language = {
  name: 'html',
  grammar: 'html',
  endings: ['.html', '.htm'],
  definitions: `
(element (start_tag (attribute (attribute_name) @is (quoted_attribute_value (attribute_value) @name)
  (#eq? @is "id")))) @key
(element (start_tag (tag_name) @tag) (text) @name (#match? @tag "^h[1-6]$")) @heading
`,
  names: [],
  before: [],
};
