import type { NextFunction, Request, Response } from 'express';
import { refuse } from './operation.ts';

const notFound = refuse([]);

/** A path with broken percent signs would otherwise be answered by Express, in HTML. */
export function readablePath(req: Request, res: Response, next: NextFunction): void {
  if (isReadable(req.path)) return next();
  void notFound(req, res, next);
}

function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
