import type {Route} from '#server/http/route.ts';

export const personalRoutes: readonly Route[] = [];
