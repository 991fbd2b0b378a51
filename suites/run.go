package suites

import "context"

// Run tests a deployment and writes the folder of the run. The error is a *UsageError, a
// *strictyaml.Problems, or another reason why the run could not start. Later errors are in the
// result. When ctx ends, nothing more is sent, the answers so far are judged and written, and the
// run is marked partial.
func Run(ctx context.Context, o Options) (RunResult, error) {
	s, err := openSession(ctx, o)
	if err != nil {
		return RunResult{}, err
	}
	defer s.close()
	if err := s.openRecord(o.Out, "conform"); err != nil {
		return RunResult{Folder: s.folder}, err
	}
	if o.OnBegin != nil {
		o.OnBegin(s.runOutlook())
	}
	unwatch := func() {}
	if o.Watch != nil {
		unwatch = o.Watch(s.runState)
	}
	if s.runPreflight() {
		s.plan.StartObservations()
		s.plan.JudgeCases()
	}
	s.plan.Wait()
	unwatch()
	return s.conclude(), nil
}
