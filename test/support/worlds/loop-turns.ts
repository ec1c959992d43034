/**
 * Watches the event loop of this thread: how much processor time its longest turn took, in ms. Unlike the delay of a timer, it says the same on a
 * machine that is busy with something else.
 */
export function watchTurns(): { longest(): number } {
  let longest = 0;
  let before = process.threadCpuUsage();
  let next: NodeJS.Immediate;
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return {
    longest() {
      clearImmediate(next);
      return longest;
    },
  };
}
