import type { Owned, ServiceEntry } from './manifest.js';
export interface Border {
  value<T>(value: T): T;
  service(service: unknown, entry: Owned<ServiceEntry>): unknown;
}
