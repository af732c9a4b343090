import {createRequire} from 'node:module';
import {readText} from '@gemini-kernel/files';

/** A schema that is part of the product: `bundle`, `bundle-lock`, `managed`, `settings`. */
export async function publishedSchema(name: string): Promise<Record<string, unknown>> {
  const path = createRequire(import.meta.url).resolve(`@gemini-kernel/manifests/schemas/${name}.schema.json`);
  return JSON.parse(await readText(path)) as Record<string, unknown>;
}
