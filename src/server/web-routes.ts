import type {WebRoute} from './http/route.ts';

/** What is served outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [];
