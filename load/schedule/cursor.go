package schedule

// Cursor walks all requests, or those of one shard of several: shard, shard+shards, shard+2·shards, ...
func (s *Schedule) Cursor(shard, shards int) *Cursor { return s.Share(shard, shards, nil).Cursor() }

// Count is how many of the schedule's K requests such a shard owns.
func (s *Schedule) Count(shard, shards int) int64 { return s.Share(shard, shards, nil).Count() }
