import type {Owned, ServiceEntry} from './manifest.js';

/**
 * What passes between plugins passes through here. The kernel's own border lets everything through; a host that runs
 * plugins elsewhere, and the glass wall of the test kit, have another.
 */
export interface Border {
  /** A payload, an answer or a result: frozen JSON in and out. */
  value<T>(value: T): T;
  /** A service, as those that ask for it see it. */
  service(service: unknown, entry: Owned<ServiceEntry>): unknown;
}
