import type {Route} from '#server/http/route.ts';

export const topicsRoutes: readonly Route[] = [];
