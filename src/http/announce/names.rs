//! What is asked and answered: packets of multicast DNS, read and written without a network.

use std::{
    borrow::Cow,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use simple_dns::{
    CLASS, Name, Packet, PacketFlag, QCLASS, QTYPE, Question, ResourceRecord, TYPE,
    rdata::{A, AAAA, NSEC, NsecTypeBitMap, PTR, RData, SRV, TXT},
};

/// How long an address, or where a service is, counts, seconds (RFC 6762, 10).
const HOST_S: u32 = 120;

/// How long anything else counts, seconds.
const OTHER_S: u32 = 4500;

/// How long an answer counts for somebody who knows nothing of multicast, seconds (RFC 6762, 6.7).
const LEGACY_S: u32 = 10;

/// Under which name all kinds of services of a network are listed (RFC 6763, 9).
const KINDS: &str = "_services._dns-sd._udp.local";

/// Most questions of a packet that is read; a phone that looks for services asks for a handful.
const MOST_QUESTIONS: u16 = 16;

/// Most records of a packet that is read.
const MOST_RECORDS: u32 = 128;

/// The names of the desk.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Names {
    /// `hall-a.local`.
    pub(super) host: String,
    /// `_http._tcp.local`.
    kind: &'static str,
    /// `hall-a._http._tcp.local`.
    instance: String,
    port: u16,
}

/// What somebody wants to know.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Reply {
    pub(super) packet: Vec<u8>,
    /// Whether only who has asked is to hear it.
    pub(super) is_for_one: bool,
}

impl Names {
    /// Makes the names; `label` is the first of them.
    pub(super) fn new(label: &str, port: u16, is_encrypted: bool) -> Self {
        let kind = if is_encrypted { "_https._tcp.local" } else { "_http._tcp.local" };
        Self { host: format!("{label}.local"), kind, instance: format!("{label}.{kind}"), port }
    }

    /// Answers a question, if it is about these names; `is_legacy` if it comes from a port of its own. What is asked twice is answered once.
    pub(super) fn reply(&self, packet: &[u8], addresses: &[IpAddr], is_legacy: bool) -> Option<Reply> {
        if !is_reasonable(packet) {
            return None;
        }
        let asked = Packet::parse(packet).ok()?;
        if asked.has_flags(PacketFlag::RESPONSE) {
            return None;
        }
        let all = self.records(addresses);
        let mut reply = Packet::new_reply(if is_legacy { asked.id() } else { 0 });
        reply.set_flags(PacketFlag::AUTHORITATIVE_ANSWER);
        for question in &asked.questions {
            let name = question.qname.to_string();
            let is_wanted = |record: &&ResourceRecord<'_>| {
                record.match_qtype(question.qtype) && is_same(&record.name.to_string(), &name)
            };
            let mut wanted: Vec<_> = all.iter().filter(is_wanted).cloned().collect();
            if wanted.is_empty() && is_same(&self.host, &name) && question.qtype != QTYPE::ANY {
                // That there is no such address is worth as much to a phone, which would wait for it.
                wanted.push(self.nothing_else(addresses));
            }
            for record in wanted {
                if !reply.answers.contains(&record) {
                    reply.answers.push(record);
                }
            }
        }
        if reply.answers.is_empty() {
            return None;
        }
        // Who has found the service asks for these next.
        if reply.answers.iter().any(|record| matches!(record.rdata, RData::PTR(_) | RData::SRV(_))) {
            let wanted = |record: &&ResourceRecord<'_>| {
                !matches!(record.rdata, RData::PTR(_)) && !reply.answers.contains(*record)
            };
            let more: Vec<_> = all.iter().filter(wanted).cloned().collect();
            reply.additional_records = more;
        }
        if is_legacy {
            for record in reply.answers.iter_mut().chain(&mut reply.additional_records) {
                (record.ttl, record.cache_flush) = (record.ttl.min(LEGACY_S), false);
            }
            reply.questions.clone_from(&asked.questions);
        }
        Some(Reply { packet: reply.build_bytes_vec_compressed().ok()?, is_for_one: is_legacy })
    }

    /// Announces all names, or that they have gone.
    pub(super) fn announcement(&self, addresses: &[IpAddr], have_gone: bool) -> Option<Vec<u8>> {
        let mut packet = Packet::new_reply(0);
        packet.set_flags(PacketFlag::AUTHORITATIVE_ANSWER);
        packet.answers = self.records(addresses);
        if have_gone {
            packet.answers.iter_mut().for_each(|record| record.ttl = 0);
        }
        packet.build_bytes_vec_compressed().ok()
    }

    /// Asks whether somebody has the name already.
    pub(super) fn probe(&self) -> Option<Vec<u8>> {
        let mut packet = Packet::new_query(0);
        let name = Name::new_unchecked(&self.host);
        packet.questions.push(Question::new(name, QTYPE::ANY, QCLASS::CLASS(CLASS::IN), false));
        packet.build_bytes_vec_compressed().ok()
    }

    /// Returns the address of another machine that says it has the name.
    pub(super) fn rival(&self, packet: &[u8], own: &[IpAddr]) -> Option<IpAddr> {
        let reported = Packet::parse(packet).ok().filter(|packet| packet.has_flags(PacketFlag::RESPONSE))?;
        let mut records = reported.answers.iter().chain(&reported.additional_records);
        records.find_map(|record| {
            let address = if let RData::A(one) = &record.rdata {
                IpAddr::V4(Ipv4Addr::from_bits(one.address))
            } else if let RData::AAAA(one) = &record.rdata {
                IpAddr::V6(Ipv6Addr::from_bits(one.address))
            } else {
                return None;
            };
            let is_rival = record.ttl > 0 && !own.contains(&address);
            (is_rival && is_same(&record.name.to_string(), &self.host)).then_some(address)
        })
    }

    fn records(&self, addresses: &[IpAddr]) -> Vec<ResourceRecord<'_>> {
        let (host, instance) = (Name::new_unchecked(&self.host), Name::new_unchecked(&self.instance));
        let record = |name: &Name<'_>, seconds, data| {
            ResourceRecord::new(name.clone().into_owned(), CLASS::IN, seconds, data)
        };
        let kind = Name::new_unchecked(self.kind);
        let shared = [
            record(&kind, OTHER_S, RData::PTR(PTR(instance.clone()))),
            record(&Name::new_unchecked(KINDS), OTHER_S, RData::PTR(PTR(kind.clone()))),
        ];
        let place = SRV { priority: 0, weight: 0, port: self.port, target: host.clone() };
        let own = [
            record(&instance, HOST_S, RData::SRV(place)),
            record(&instance, OTHER_S, RData::TXT(TXT::new())),
        ];
        let addresses = addresses.iter().map(|address| {
            let data = match address {
                IpAddr::V4(one) => RData::A(A { address: one.to_bits() }),
                IpAddr::V6(one) => RData::AAAA(AAAA { address: one.to_bits() }),
            };
            record(&host, HOST_S, data)
        });
        let own = own.into_iter().chain(addresses).map(|record| record.with_cache_flush(true));
        shared.into_iter().chain(own).collect()
    }

    /// Says that the host has no other records than its addresses (RFC 6762, 6.1).
    fn nothing_else(&self, addresses: &[IpAddr]) -> ResourceRecord<'_> {
        let host = Name::new_unchecked(&self.host);
        let mut bits = [0_u8; 4];
        for address in addresses {
            let kind = u16::from(if address.is_ipv4() { TYPE::A } else { TYPE::AAAA });
            if let Some(byte) = bits.get_mut(usize::from(kind / 8)) {
                *byte |= 0x80 >> (kind % 8);
            }
        }
        let length = if addresses.iter().any(IpAddr::is_ipv6) { 4 } else { 1 };
        let bitmap = Cow::Owned(bits.into_iter().take(length).collect());
        let data =
            NSEC { next_name: host.clone(), type_bit_maps: vec![NsecTypeBitMap { window_block: 0, bitmap }] };
        ResourceRecord::new(host, CLASS::IN, HOST_S, RData::NSEC(data)).with_cache_flush(true)
    }
}

/// Returns by the counts in its head whether a packet is worth reading: one with hundreds of questions is a flood.
pub(super) fn is_reasonable(packet: &[u8]) -> bool {
    // Identification, flags, and the counts of questions and of three kinds of records (RFC 1035, 4.1.1).
    let count = |at: usize| {
        packet.get(at..at + 2).map(|two| two.iter().fold(0, |all, one| all << 8 | u16::from(*one)))
    };
    let (Some(questions), Some(answers), Some(authorities), Some(others)) =
        (count(4), count(6), count(8), count(10))
    else {
        return false;
    };
    let records: u32 = [answers, authorities, others].into_iter().map(u32::from).sum();
    questions <= MOST_QUESTIONS && records <= MOST_RECORDS
}

/// Names of the network are the same in small and capital letters.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('.').eq_ignore_ascii_case(other.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OWN: [IpAddr; 1] = [IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7))];

    fn names() -> Names {
        Names::new("hall-a", 8080, false)
    }

    fn ask(name: &str, kind: QTYPE) -> Vec<u8> {
        let mut packet = Packet::new_query(77);
        packet.questions.push(Question::new(
            Name::new_unchecked(name),
            kind,
            QCLASS::CLASS(CLASS::IN),
            false,
        ));
        packet.build_bytes_vec().unwrap()
    }

    #[track_caller]
    fn check(name: &str, kind: QTYPE, expected: &[TYPE]) {
        let reply = names().reply(&ask(name, kind), &OWN, false);
        let found = reply.map(|reply| {
            let packet = Packet::parse(&reply.packet).unwrap();
            assert!(packet.id() == 0 && packet.questions.is_empty() && !reply.is_for_one);
            packet.answers.iter().map(|record| record.rdata.type_code()).collect::<Vec<_>>()
        });
        assert_eq!(found.unwrap_or_default(), expected, "{name} {kind:?}");
    }

    #[test]
    fn own_names_are_answered_and_no_others() {
        check("hall-a.local", QTYPE::TYPE(TYPE::A), &[TYPE::A]);
        check("Hall-A.Local", QTYPE::TYPE(TYPE::A), &[TYPE::A]);
        check("hall-a.local", QTYPE::TYPE(TYPE::AAAA), &[TYPE::NSEC]);
        check("hall-a.local", QTYPE::ANY, &[TYPE::A]);
        check("_http._tcp.local", QTYPE::TYPE(TYPE::PTR), &[TYPE::PTR]);
        check(KINDS, QTYPE::TYPE(TYPE::PTR), &[TYPE::PTR]);
        check("hall-a._http._tcp.local", QTYPE::TYPE(TYPE::SRV), &[TYPE::SRV]);
        check("hall-b.local", QTYPE::TYPE(TYPE::A), &[]);
        check("_https._tcp.local", QTYPE::TYPE(TYPE::PTR), &[]);
    }

    #[test]
    fn who_knows_nothing_of_multicast_gets_an_answer_of_its_own() {
        let reply = names().reply(&ask("hall-a.local", QTYPE::TYPE(TYPE::A)), &OWN, true).unwrap();
        let packet = Packet::parse(&reply.packet).unwrap();
        assert!(reply.is_for_one && packet.id() == 77 && packet.questions.len() == 1);
        assert_eq!((packet.answers[0].ttl, packet.answers[0].cache_flush), (LEGACY_S, false));
    }

    #[test]
    fn another_machine_with_the_name_is_noticed() {
        let reported = |label: &str, address: [u8; 4], have_gone| {
            Names::new(label, 80, true).announcement(&[address.into()], have_gone).unwrap()
        };
        let rival = |packet: &[u8]| names().rival(packet, &OWN);
        assert_eq!(rival(&reported("hall-a", [10, 0, 0, 8], false)), Some([10, 0, 0, 8].into()));
        assert_eq!(rival(&reported("HALL-A", [10, 0, 0, 8], false)), Some([10, 0, 0, 8].into()));
        assert_eq!(
            rival(&reported("hall-a", [10, 0, 0, 7], false)),
            None,
            "what it has said itself comes back"
        );
        assert_eq!(rival(&reported("hall-a", [10, 0, 0, 8], true)), None);
        assert_eq!(rival(&reported("hall-b", [10, 0, 0, 8], false)), None);
        assert_eq!(rival(&names().probe().unwrap()), None);
    }

    #[test]
    fn a_full_packet_is_not_read_and_a_repeated_question_once() {
        let ask = |count: usize| {
            let mut packet = Packet::new_query(0);
            let question = || {
                let name = Name::new_unchecked("hall-a.local");
                Question::new(name, QTYPE::ANY, QCLASS::CLASS(CLASS::IN), false)
            };
            packet.questions.extend((0..count).map(|_| question()));
            packet.build_bytes_vec_compressed().unwrap()
        };
        let reply = names().reply(&ask(16), &OWN, false).unwrap();
        assert_eq!(Packet::parse(&reply.packet).unwrap().answers.len(), 1);
        assert_eq!(names().reply(&ask(17), &OWN, false), None);
        assert_eq!(names().reply(&ask(1400), &OWN, false), None);
    }

    proptest! {
        #[test]
        fn whatever_comes_is_answered_or_ignored(packet in proptest::collection::vec(any::<u8>(), 0..80)) {
            let names = names();
            names.reply(&packet, &OWN, true);
            names.rival(&packet, &OWN);
        }
    }
}
