import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';

/** One of the schemas that came with the product: `bundle`, `bundle-lock`, `managed`, `settings`. */
export async function publishedSchema(name: string): Promise<Record<string, unknown>> {
  const path = createRequire(import.meta.url).resolve(`@gemini-kernel/manifests/schemas/${name}.schema.json`);
  return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
}
