/**
 * The limit of listeners that wait for hooks, which have limits of their own and may ask a person first: longer than
 * any of them. Only plugins of the product may take longer than their moment gives.
 */
export const LISTENER_MS = 24 * 3_600_000;
