import {provide} from '@gemini-kernel/kernel';
import {findDefaults} from '../prepared-rules.js';

/** The rules of the product, read once in a program: its sessions share them, and what was compiled of them. */
export default provide('default-rules', {
  version: '1.0.0',
  scope: 'program',
  reserved: true,
  // It shares the rules as objects.
  local: true,
  create: () => findDefaults(),
});
