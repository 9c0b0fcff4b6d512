import type {Route} from '#server/http/route.ts';

export const presenceRoutes: readonly Route[] = [];
